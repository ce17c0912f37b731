package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"drover/ui/theme"
)

// FileCells is what a FileRow shows.
type FileCells struct {
	Icon             fyne.Resource
	Name, Size, Date string
	Dim              bool // hidden by its name, but shown
}

// Columns says how wide the columns beside the name are; header and rows share one.
type Columns struct{ Size, Date float32 }

// The measures of a file row.
const (
	FileRowHeight = 28
	fileIcon      = 18
	filePad       = 12 // left of the icon, right of the last column
	fileGap       = 9  // between icon and name
	scrollRoom    = 8  // the scroll bar lies over the rows
)

// For fits the columns into a width: the date goes first, then the size.
func (c *Columns) For(width float32) {
	c.Size, c.Date = 96, 150
	if width < 470 {
		c.Date = 0
	}
	if width < 300 {
		c.Size = 0
	}
}

// spans returns where the three columns begin, and where the last ends.
func (c *Columns) spans(width float32) (name, size, date, end float32) {
	end = width - filePad - scrollRoom
	date = end - c.Date
	size = date - c.Size
	if c.Date > 0 {
		size -= 18
	}
	return filePad + fileIcon + fileGap, size, date, end
}

// FileRow is one entry of a folder.
type FileRow struct {
	widget.BaseWidget

	fetch func(i int) FileCells
	cols  *Columns

	cells FileCells
	state RowState
	drawn drawn

	bg, over         *canvas.Rectangle
	icon             *canvas.Image
	name, size, date *canvas.Text
}

// drawn remembers for which name and width the name was shortened.
type drawn struct {
	name  string
	width float32
}

// NewFileRow returns a row that gets its cells from fetch.
func NewFileRow(cols *Columns, fetch func(i int) FileCells) *FileRow {
	r := &FileRow{fetch: fetch, cols: cols}
	r.bg, r.over = canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	r.icon = newIcon(theme.File)
	r.name, r.size, r.date = newText(textSize()), newText(textSize()), newText(textSize())
	r.size.Alignment = fyne.TextAlignTrailing
	r.date.Alignment = fyne.TextAlignTrailing
	r.ExtendBaseWidget(r)
	r.Restyle()
	return r
}

// Set implements Row.
func (r *FileRow) Set(i int, s RowState) {
	if c := r.fetch(i); c != r.cells {
		r.cells = c
		r.fill()
	}
	if s != r.state {
		r.state = s
		r.paint()
	}
}

// Restyle implements Row.
func (r *FileRow) Restyle() {
	for _, t := range []*canvas.Text{r.name, r.size, r.date} {
		t.TextSize = textSize()
	}
	r.drawn = drawn{}
	r.fill()
	r.paint()
}

// fill shows the cells.
func (r *FileRow) fill() {
	fg, soft := colour(fynetheme.ColorNameForeground), colour(theme.Secondary)
	if r.cells.Dim {
		fg = soft
	}
	if r.cells.Icon != nil {
		setIcon(r.icon, r.cells.Icon)
	}
	from, to, _, _ := r.cols.spans(r.Size().Width)
	if w := to - from - 8; r.drawn != (drawn{r.cells.Name, w}) || r.name.Color != fg {
		r.drawn = drawn{r.cells.Name, w}
		setText(r.name, Elide(r.cells.Name, w, r.name.TextSize, r.name.TextStyle, true), fg)
	}
	setText(r.size, r.cells.Size, soft)
	setText(r.date, r.cells.Date, soft)
}

// paint shows the state.
func (r *FileRow) paint() {
	r.bg.FillColor, r.over.FillColor = nil, nil
	switch {
	case r.state.Selected && r.state.Focused:
		r.bg.FillColor = colour(theme.Selected)
	case r.state.Selected:
		r.bg.FillColor = colour(theme.SelectedIdle)
	}
	if r.state.Hover {
		r.over.FillColor = colour(fynetheme.ColorNameHover)
	}
	r.over.StrokeWidth = 0
	if r.state.Cursor && r.state.Focused {
		r.over.StrokeWidth = 1.5
		r.over.StrokeColor = colour(fynetheme.ColorNamePrimary)
	}
	r.bg.Refresh()
	r.over.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *FileRow) CreateRenderer() fyne.WidgetRenderer {
	return &simple{
		objects: []fyne.CanvasObject{r.bg, r.over, r.icon, r.name, r.size, r.date},
		min:     func() fyne.Size { return fyne.NewSize(80, FileRowHeight) },
		layout: func(s fyne.Size) {
			const inset = 4
			for _, b := range []*canvas.Rectangle{r.bg, r.over} {
				b.CornerRadius = fynetheme.Size(fynetheme.SizeNameSelectionRadius)
				b.Move(fyne.NewPos(inset, 1))
				b.Resize(fyne.NewSize(s.Width-2*inset, s.Height-2))
			}
			r.icon.Move(fyne.NewPos(filePad, (s.Height-fileIcon)/2))
			r.icon.Resize(fyne.NewSquareSize(fileIcon))
			name, size, date, end := r.cols.spans(s.Width)
			place(r.name, name, 0, size-name-8, s.Height)
			place(r.size, size, 0, r.cols.Size, s.Height)
			place(r.date, date, 0, end-date, s.Height)
			r.size.Hidden = r.cols.Size == 0
			r.date.Hidden = r.cols.Date == 0
			r.fill()
		},
		refresh: r.Restyle,
	}
}
