"""What functions print, and the figures in it: written together and let go of in time."""
