"""The cases, a module for each section."""
