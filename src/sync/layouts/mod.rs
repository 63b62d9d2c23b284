//! Layouts. Todo. Todo.
