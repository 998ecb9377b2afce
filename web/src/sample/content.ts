import type { NewZone } from "@tessera-board/sdk";

/** A tile of the sample board. `file` is in the folder `files`: `.txt` becomes a note, everything else is uploaded. */
export type SampleTile = { readonly title: string; readonly file: string };
export type SampleZone = Pick<NewZone, "color" | "emoji"> & { readonly name: string; readonly tiles: readonly SampleTile[] };

export const SAMPLE_NAME = "Sample: Fernhill Observatory";

/** The zones of the sample board, a fictional observatory, and their tiles in the order in which they are created. */
export const SAMPLE_ZONES: readonly SampleZone[] = [
  {
    name: "Visits",
    color: "blue",
    emoji: "🎟️",
    tiles: [
      { title: "Opening hours and tickets", file: "opening-hours.txt" },
      { title: "Questions that visitors ask", file: "visitor-questions.txt" },
      { title: "How to get here", file: "getting-here.txt" },
    ],
  },
  {
    name: "Sky and telescope",
    color: "purple",
    emoji: "🔭",
    tiles: [
      { title: "What to look at in 2026, month by month", file: "sky-calendar.html" },
      { title: "Three winters for one mirror", file: "mirror-article.html" },
      { title: "Tour script: the dome in twelve minutes", file: "tour-script.txt" },
      { title: "Dome log, spring 2026", file: "dome-log.txt" },
    ],
  },
  {
    name: "The society",
    color: "green",
    emoji: "👥",
    tiles: [
      { title: "Annual report 2025", file: "annual-report.pdf" },
      { title: "Volunteers' meeting, 12 March 2026", file: "volunteers-meeting.txt" },
      { title: "Newsletter draft, summer 2026", file: "newsletter-draft.txt" },
    ],
  },
];

export const SAMPLE_TILE_COUNT = SAMPLE_ZONES.reduce((sum, { tiles }) => sum + tiles.length, 0);

/** Questions that the sample board answers well: from an article, from notes, and from a PDF. */
export const SAMPLE_QUESTIONS: readonly string[] = [
  "When is Saturn best seen?",
  "Why was the dome closed in March?",
  "How many visitors did the observatory welcome in 2025?",
];
