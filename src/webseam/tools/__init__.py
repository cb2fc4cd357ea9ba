"""What a model sees: schemas, prompts, argument checks, rendering."""
