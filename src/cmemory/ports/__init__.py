"""What the domain needs from the outside world, in the domain's words."""
