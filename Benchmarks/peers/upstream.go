// The peer of `Benchmarks upstream`: the same work with net/http and encoding/json.
//
// GET /?page=N fetches a page of people from the upstream, decodes it, groups it by eye colour, answers JSON.
// Usage: upstream URL; prints the port it listens on.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sort"
)

type person struct {
	Name      string   `json:"name"`
	Height    string   `json:"height"`
	Mass      string   `json:"mass"`
	HairColor string   `json:"hair_color"`
	SkinColor string   `json:"skin_color"`
	EyeColor  string   `json:"eye_color"`
	BirthYear string   `json:"birth_year"`
	Gender    string   `json:"gender"`
	Homeworld string   `json:"homeworld"`
	Films     []string `json:"films"`
	Species   []string `json:"species"`
	Vehicles  []string `json:"vehicles"`
	Starships []string `json:"starships"`
	Created   string   `json:"created"`
	Edited    string   `json:"edited"`
	URL       string   `json:"url"`
}

type page struct {
	Count    int      `json:"count"`
	Next     *string  `json:"next"`
	Previous *string  `json:"previous"`
	Results  []person `json:"results"`
}

type segment struct {
	EyeColor string   `json:"eyeColor"`
	Count    int      `json:"count"`
	Label    string   `json:"label"`
	People   []person `json:"people"`
}

type groups struct {
	Segments []segment `json:"segments"`
}

func group(people []person) groups {
	byColor := map[string][]person{}
	for _, one := range people {
		byColor[one.EyeColor] = append(byColor[one.EyeColor], one)
	}
	answer := groups{}
	for color, members := range byColor {
		label := fmt.Sprintf("%s (%d)", color, len(members))
		answer.Segments = append(answer.Segments, segment{color, len(members), label, members})
	}
	sort.Slice(answer.Segments, func(a, b int) bool {
		return answer.Segments[a].EyeColor < answer.Segments[b].EyeColor
	})
	return answer
}

func main() {
	upstream := os.Args[1]
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 64}}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer, err := client.Get(upstream + "people/?page=" + r.URL.Query().Get("page"))
		if err != nil {
			http.Error(w, err.Error(), 502)
			return
		}
		defer answer.Body.Close()
		var read page
		if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
			http.Error(w, err.Error(), 502)
			return
		}
		body, _ := json.Marshal(group(read.Results))
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}
