/** Feeds: id, title, entries with a date, a headline and a line each. */
export const FEEDS: readonly (readonly [
  id: string,
  title: string,
  entries: readonly (readonly [date: string, headline: string, text: string])[],
])[] = [
  [
    "f-town",
    "News of the town hall",
    [
      ["2026-03-02", "New playground by the mill", "The climbing net was paid for by the bakery and opens on Saturday."],
      ["2026-03-09", "Water meter readings", "Readers come in the third week of March; a photo by mail will do as well."],
      ["2026-03-15", "Fair cancelled", "The spring fair does not take place because the meadow is under water."],
    ],
  ],
  [
    "f-releases",
    "Tern firmware releases",
    [
      ["2026-02-11", "Version 4.2", "Adds the export as a spreadsheet and shortens the start to nine seconds."],
      ["2026-03-30", "Version 4.3", "Mends the loss of readings when the clock was set back. Needs 4.2 first."],
      ["2026-05-18", "Version 4.4", "Drops support for phones that can't speak TLS 1.3."],
    ],
  ],
  [
    "f-astro",
    "Observatory diary",
    [
      ["2026-01-14", "Clear at last", "Four hours on the crab nebula with the new filter."],
      ["2026-02-20", "Dome stuck", "Ice in the rail; hot water helped, a hammer did not."],
      ["2026-04-03", "Supernova found by a pupil", "Twelve-year-old Amira Bensaid saw it first on her own exposure."],
    ],
  ],
  [
    "f-market",
    "Prices at the wholesale market",
    [
      ["2026-05-04", "Asparagus", "8.90 a kilo, down by two since the warm weekend."],
      ["2026-05-11", "Strawberries", "First ones from the region at 6.40 a punnet of 500 grams."],
      ["2026-05-18", "Potatoes", "Early ones from Cyprus 1.75 a kilo, local ones from June."],
    ],
  ],
  [
    "f-library",
    "New on the shelves",
    [
      ["2026-02-01", "The Salt Cellar, Maren Holt", "A family keeps a secret under a saltworks for three generations."],
      ["2026-02-15", "Small Engines, T. Abara", "Repairing outboards, mowers and the patience of their owners."],
      ["2026-03-01", "Snow Grammar, Y. Ito", "Poems on forty words for falling."],
    ],
  ],
  [
    "f-security",
    "Security notices",
    [
      ["2026-01-08", "Camera Vigil 3", "A default password can't be changed; take it off the network."],
      ["2026-02-26", "Router Basalt", "Update to 7.9.1, as anyone on the guest network could read the settings."],
      ["2026-04-21", "Lock Ansa", "The radio code repeats after 65,536 presses; the maker replaces the lock."],
    ],
  ],
  [
    "f-club",
    "Sailing club, announcements",
    [
      ["2026-04-12", "Boats go into the water", "The crane is there from eight, bring your own straps."],
      ["2026-06-07", "Course for beginners", "Six evenings, 120 for members, lifejackets are lent."],
      ["2026-08-02", "Regatta", "Registration closes on the 20th; the course chart hangs in the shed."],
    ],
  ],
  [
    "f-research",
    "Notes from the polar station",
    [
      ["2026-01-05", "Minus 61", "Coldest morning of the winter; the diesel turned to jelly."],
      ["2026-02-17", "Visitors", "A skua walked in through the workshop door and left with a sandwich."],
      ["2026-03-22", "Core", "The drill reached 2,114 metres, ice that fell as snow ninety thousand years ago."],
    ],
  ],
  [
    "f-jobs",
    "Openings at Halden",
    [
      ["2026-05-02", "Tester", "Thirty hours, half of them in the climate chamber."],
      ["2026-05-02", "Firmware engineer", "Low power radio, C and a sense of humour."],
      ["2026-05-30", "Apprentice", "Electronics, three and a half years, from September."],
    ],
  ],
  [
    "f-weather",
    "Mountain weather service",
    [
      ["2026-07-01", "Thunder", "From 14 o'clock storms on the west side, leave the ridge by noon."],
      ["2026-07-02", "Clearing", "Snow down to 2,600 metres, dry from the afternoon."],
      ["2026-07-03", "Heat", "Zero degree line climbs to 4,800 metres."],
    ],
  ],
];
