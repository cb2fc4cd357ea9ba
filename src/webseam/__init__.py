"""webseam: web access for language-model agents behind one honest, safe, fast seam.

Everything public is here and loads on first use: `import webseam` imports nothing heavy.
"""
