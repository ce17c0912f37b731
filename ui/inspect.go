package ui

import "drover/ui/present"

// HasQuestions tells whether a transfer asks something.
func HasQuestions(t present.Transfer) bool { return t.Questions > 0 }

// Open reports whether any transfer on the screen that has not ended is as wanted.
func (w *Window) Open(wanted func(present.Transfer) bool) bool {
	for _, t := range w.transfers {
		if !t.Ended && wanted(t) {
			return true
		}
	}
	return false
}

// ReviewFirst shows what the newest transfer waits for.
func (w *Window) ReviewFirst() {
	for _, t := range w.transfers {
		if t.CanReview {
			w.review(t.ID)
			return
		}
	}
}

// Asking reports whether a question is on the screen.
func (w *Window) Asking() bool { return w.asking != nil && w.asking.Shown() }

// CloseDialogs puts off what is being asked.
func (w *Window) CloseDialogs() {
	if w.Asking() {
		w.asking.Close()
	}
	if w.failing != nil && w.failing.Shown() {
		w.failing.Close()
	}
}

// CancelAll ends all transfers.
func (w *Window) CancelAll() {
	for _, t := range w.transfers {
		if !t.Ended {
			w.Control.Cancel(t.ID)
		}
	}
}
