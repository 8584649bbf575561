import type { Catalogue } from "./language";

/** What the page says of a run, of the agents, and of what went wrong on the way to the server. */
export const run: Catalogue = {
  "Ask again.": "Fragen Sie noch einmal.",
  "Being answered in another window": "Wird in einem anderen Fenster beantwortet",
  "Check that `vantage serve` is running, then try again.": "Prüfen Sie, ob `vantage serve` läuft, und versuchen Sie es noch einmal.",
  "Load the page again.": "Laden Sie die Seite neu.",
  "Nothing had been searched yet. Your question is kept.": "Es war noch nichts durchsucht. Ihre Frage ist aufgehoben.",
  "Something went wrong": "Etwas ist schiefgegangen",
  "Something went wrong on this page": "Auf dieser Seite ist etwas schiefgegangen",
  "Stopped before it began": "Angehalten, bevor es begann",
  "The Analyst": "Der Analytiker",
  "The Architect": "Der Baumeister",
  "The Conductor": "Der Dirigent",
  "The Critic": "Der Kritiker",
  "The Illuminated": "Der Erleuchtete",
  "The Illuminator": "Der Lichtbringer",
  "The Inquirer": "Der Fragende",
  "The Just": "Die Gerechte",
  "The Keeper": "Die Bewahrerin",
  "The Messenger": "Der Bote",
  "The Navigator": "Der Navigator",
  "The Persistent": "Der Beharrliche",
  "The Scholar": "Die Gelehrte",
  "The Scribe": "Der Schreiber",
  "The Shape-Shifter": "Der Gestaltwandler",
  "The Strategist": "Die Strategin",
  "The connection to the server on this machine was lost. Nothing that was stored is gone.":
    "Die Verbindung zum Server auf diesem Rechner ging verloren. Nichts Gespeichertes ist weg.",
  "The run ended without an answer": "Der Ablauf endete ohne Antwort",
  "The server answered {status}": "Der Server hat mit {status} geantwortet",
  "The server closed the run before an answer came.": "Der Server hat den Ablauf beendet, bevor eine Antwort kam.",
  "The server does not answer, or it was updated while the page was open.":
    "Der Server antwortet nicht, oder er wurde aktualisiert, während die Seite offen war.",
  "This part of the page could not be loaded": "Dieser Teil der Seite konnte nicht geladen werden",
  "Vantage cannot be reached": "Vantage ist nicht erreichbar",
};
