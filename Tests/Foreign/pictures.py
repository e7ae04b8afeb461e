"""What a picture in an answer looks like."""

from portico.v1.image_pb2 import Image


def is_picture(image: Image, data: bytes, content_type: str) -> bool:
    """The very bytes that the upstream has, typed and tagged."""
    return (image.data, image.content_type, image.placeholder, image.reason) == (data, content_type, False, "") \
        and image.etag != ""


def is_placeholder(image: Image) -> bool:
    """Marked, with a reason, and still something that an app can show."""
    return image.placeholder and image.reason != "" and image.content_type.startswith("image/") and len(image.data) > 0
