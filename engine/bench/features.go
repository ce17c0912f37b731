package main

// featured is Drover without a feature and with it. What cannot be switched on the command line is measured in
// engine/cost_test.go.
func featured(bin string) []rival {
	return []rival{
		drover(bin, "quiet", "--quiet"),
		drover(bin, "progress", "--progress", "always"),
		drover(bin, "json", "--json"),
	}
}
