"""Generates the Python messages from `Schemas/`, as any client's build would."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "Schemas"


def generate() -> tempfile.TemporaryDirectory:
    """Puts the generated packages on the import path; they live as long as the returned folder."""
    folder = tempfile.TemporaryDirectory(prefix="portico-messages-")
    schemas = sorted(str(path) for path in SCHEMAS.rglob("*.proto"))
    subprocess.run(["protoc", f"--proto_path={SCHEMAS}", f"--python_out={folder.name}", *schemas], check=True)
    sys.path.insert(0, folder.name)
    return folder
