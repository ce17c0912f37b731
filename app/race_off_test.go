//go:build !race

package app

// raceEnabled says that everything takes several times as long.
const raceEnabled = false
