package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"drover/engine"
	"drover/ui/present"
)

// The rules of asking on a terminal:
//
//   - Only if standard input and standard error are a terminal. Everything else leaves the questions open at once, so
//     that the job ends as soon as nothing else is left to do.
//   - One question at a time, the oldest first. Copying goes on meanwhile. The progress bar does not: the line belongs to
//     the person who types. An empty answer shows the question again, with how far the job has come.
//   - Answers are lines; the terminal does the editing. The letters are the same in every language.
//   - The end of input (Ctrl-D) leaves open what was not answered.

// asking is the conversation with the person at the terminal.
type asking struct {
	lines    <-chan string // nil until the first question: before that the terminal's input is not ours
	about    subject
	question engine.Question // for aboutQuestion and aboutName

	// fetched brings the question to ask next; nil unless one is being fetched. The job looks at both sides of it on disk,
	// and a disk that does not answer must not keep a signal waiting.
	fetched chan []engine.Question
}

// subject is what the next line answers.
type subject uint8

const (
	aboutNothing subject = iota
	aboutQuestion
	aboutName
	aboutStall
)

// open reports whether a line is awaited.
func (a *asking) open() bool { return a.about != aboutNothing }

// prepareQuestions decides whether there is somebody to ask.
func (c *copying) prepareQuestions() {
	f := c.flags
	if !f.json && !f.quiet && !f.dryRun && c.screen.terminal != nil && terminal(c.stdio.In) != nil {
		c.asking = &asking{}
		return
	}
	c.job.Leave() // also with a rule: no rule answers what happens to a folder in the way of a file
}

// fetch gets the oldest open question, for ask.
func (c *copying) fetch() {
	a := c.asking
	if a.open() || a.fetched != nil {
		return
	}
	a.fetched = make(chan []engine.Question, 1) // so that the goroutine ends whether or not anybody waits for it
	go func(job *engine.Job, ch chan<- []engine.Question) { ch <- job.Questions(0, 1) }(c.job, a.fetched)
}

// ask shows the question that was fetched, unless something has come between.
func (c *copying) ask(qs []engine.Question) {
	a := c.asking
	a.fetched = nil
	if len(qs) == 0 || a.open() || !c.interrupted.IsZero() {
		return
	}
	a.question = qs[0]
	a.about = aboutQuestion
	c.screen.wipe()
	fmt.Fprint(c.stdio.Err, questionText(a.question, c.job.Snapshot().Questions-1, time.Now()))
	c.prompt()
}

// askStall shows why the job stands still. It goes before a question, which comes again later.
func (c *copying) askStall(s engine.Snapshot) {
	if c.asking.about == aboutStall {
		return
	}
	if c.asking.open() {
		fmt.Fprintln(c.stdio.Err)
	}
	c.asking.about = aboutStall
	c.screen.wipe()
	fmt.Fprintf(c.stdio.Err, "%s\n[t] %s  [c] %s\n", adviseLine(stallReason(s)),
		present.ActionText(engine.ActionRetry), present.T("cli.action_cancel"))
	c.prompt()
}

// prompt invites a line, and begins to read lines at the first time.
func (c *copying) prompt() {
	fmt.Fprint(c.stdio.Err, "> ")
	if c.asking.lines == nil {
		c.asking.lines = readLines(c.stdio.In)
	}
}

// readLines sends the lines of r without their ends, and closes the channel at the end of r. The goroutine stays in its
// last read until the process ends: a read from a terminal cannot be called off.
func readLines(r io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		br := bufio.NewReader(r)
		for {
			s, err := br.ReadString('\n')
			if err != nil {
				return // what was typed before Ctrl-D twice is no answer
			}
			lines <- strings.TrimSuffix(s, "\n")
		}
	}()
	return lines
}

// closeQuestion ends a line that nobody will answer any more.
func (c *copying) closeQuestion() {
	if c.asking != nil && c.asking.open() {
		fmt.Fprintln(c.stdio.Err)
		c.asking.about = aboutNothing
	}
}

// answer takes a line from the terminal; ok is false at its end.
func (c *copying) answer(line string, ok bool) {
	a := c.asking
	about := a.about
	if !ok {
		c.closeQuestion()
		c.asking = nil
		if about == aboutStall {
			c.stall = stallReason(c.job.Snapshot())
			c.job.Cancel()
			return
		}
		c.job.Leave()
		c.look() // it may stand still for a reason that nobody will mend now
		return
	}
	switch about {
	case aboutStall:
		c.answerStall(line)
	case aboutQuestion:
		c.answerQuestion(line)
	case aboutName:
		if line == "" { // thought better of it
			a.about = aboutNothing
			c.look()
			return
		}
		c.decide(engine.Decision{IDs: []engine.QuestionID{a.question.ID}, Action: engine.ActionRename, Name: line})
	}
}

func (c *copying) answerStall(line string) {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "t":
		c.asking.about = aboutNothing
		c.job.Resume()
		if c.job.Snapshot().State != engine.StateStalled {
			c.look() // at the question that the stall went before
		}
	case "c":
		c.asking.about = aboutNothing
		c.stall = stallReason(c.job.Snapshot())
		c.job.Cancel()
	default:
		c.asking.about = aboutNothing
		c.askStall(c.job.Snapshot())
	}
}

func (c *copying) answerQuestion(line string) {
	a := c.asking
	if strings.TrimSpace(line) == "" {
		a.about = aboutNothing
		fmt.Fprintln(c.stdio.Err, progressLine(c.job.Snapshot(), &present.Countdown{}, time.Now(), c.screen.width()-1))
		c.look()
		return
	}
	d, err := parseAnswer(line, a.question.Actions)
	switch {
	case err != nil:
		fmt.Fprintln(c.stdio.Err, err)
		c.prompt()
	case d.Action == engine.ActionRename && d.Name == "":
		a.about = aboutName
		fmt.Fprint(c.stdio.Err, present.T("cli.new_name"), " ")
	default:
		d.IDs = []engine.QuestionID{a.question.ID}
		c.decide(d)
	}
}

// decide hands an answer to the job and goes on to the next question.
func (c *copying) decide(d engine.Decision) {
	err := c.job.Decide(d)
	if err != nil && !errors.Is(err, engine.ErrNoQuestion) {
		fmt.Fprintln(c.stdio.Err, adviseLine(err))
		c.asking.about = aboutQuestion
		c.prompt()
		return
	}
	c.asking.about = aboutNothing
	c.look()
}

// keys are the letters for the answers. "re" is the start of "replace" as well, so an answer is a key or the whole word.
var keys = []struct {
	key, word string
	action    engine.Action
}{
	{"r", "replace", engine.ActionReplace},
	{"s", "skip", engine.ActionSkip},
	{"k", "keep", engine.ActionKeepBoth},
	{"n", "newer", engine.ActionNewer},
	{"o", "old", engine.ActionRenameOld},
	{"re", "rename", engine.ActionRename},
	{"t", "try", engine.ActionRetry},
}

// parseAnswer reads a line such as "r", "R" or "a r" (for all further ones), "re" or "re NAME". The error is for the
// person who typed it.
func parseAnswer(line string, actions []engine.Action) (engine.Decision, error) {
	line = strings.TrimLeft(line, " \t")
	word, name, _ := strings.Cut(strings.TrimRight(line, " \t"), " ")
	all := false
	if word == "a" || word == "A" {
		all = true
		word, name, _ = strings.Cut(strings.TrimLeft(name, " "), " ")
	} else if len(word) == 2 && (word[0] == 'a' || word[0] == 'A') {
		all, word = true, word[1:]
	}
	if word != "" && strings.ToUpper(word[:1]) == word[:1] {
		all = true
	}
	word = strings.ToLower(word)
	for _, k := range keys {
		if word != k.key && word != k.word || !slices.Contains(actions, k.action) {
			continue
		}
		if k.action != engine.ActionRename {
			if name != "" {
				break
			}
			return engine.Decision{Action: k.action, Rest: all}, nil
		}
		if all {
			return engine.Decision{}, usage("cli.rename_all")
		}
		// The name is what stands behind the first space, with whatever else it begins or ends with.
		_, name, _ = strings.Cut(line, " ")
		return engine.Decision{Action: k.action, Name: name}, nil
	}
	return engine.Decision{}, usage("cli.unknown_answer")
}

// questionText shows both sides of q, how many more there are so far, and the answers that fit.
func questionText(q engine.Question, more int, now time.Time) string {
	v := present.NewQuestion(q, os.Getenv("HOME"), now)
	var b strings.Builder
	b.WriteString(v.Title)
	if more > 0 {
		b.WriteString("  (" + say("cli.more_questions", "Count", more) + ")")
	}
	b.WriteString("\n")
	b.WriteString(table([][]string{sideRow(v.New), sideRow(v.Old)}))
	forAll := false
	for i, k := range orderedKeys(q.Actions) {
		if i > 0 {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "[%s] %s", k, present.ActionText(actionOf(k)))
		forAll = forAll || k != "re"
	}
	b.WriteString("\n")
	if forAll {
		b.WriteString(present.T("cli.for_all") + "\n")
	}
	return b.String()
}

// orderedKeys are the keys of actions, always in the same order.
func orderedKeys(actions []engine.Action) []string {
	var out []string
	for _, k := range keys {
		if slices.Contains(actions, k.action) {
			out = append(out, k.key)
		}
	}
	return out
}

func actionOf(key string) engine.Action {
	for _, k := range keys {
		if k.key == key {
			return k.action
		}
	}
	return engine.ActionSkip
}

func sideRow(s present.SideView) []string {
	return []string{s.Heading, s.Kind, plain(s.Size), plain(s.Date), strings.Join(s.Hints, ", "), s.Folder}
}

// table aligns rows; columns that are empty in all of them are left out.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if widths[i] > 0 {
				line += "  " + cell + strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell))
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
