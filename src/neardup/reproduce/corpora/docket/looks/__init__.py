"""How letters look: layouts of documents and portals, typography, footers, and noise of character recognition."""
