/** Pages of the web: id, title, parts with a heading and a paragraph each. What such pages say besides is composed. */
export const PAGES: readonly (readonly [id: string, title: string, parts: readonly (readonly [heading: string, text: string])[]])[] = [
  [
    "p-heatpump",
    "Heat pumps in old houses: what a year of figures says",
    [
      [
        "Does it pay?",
        "In the forty houses that were followed, a pump gave 3.1 units of heat for each unit of electricity over the year. Houses with new windows did hardly better than those without.",
      ],
      [
        "Noise",
        "At three metres the machines were measured with 44 decibels, less than a conversation. Neighbours complained where the fan faced a corner.",
      ],
    ],
  ],
  [
    "p-ferry",
    "Island ferry: times and fares",
    [
      ["Crossings", "The boat leaves the mainland at 6:40, 11:15 and 17:30. On Sundays the first crossing is left out."],
      [
        "Fares",
        "Grown-ups pay 14, children under twelve travel free. A car up to five metres costs 48 each way and must be booked the day before.",
      ],
    ],
  ],
  [
    "p-kestrel",
    "Kestrel sensor: setting it up",
    [
      ["First start", "Hold the button for six seconds until the display shows a bird. Then open the app and stand within two metres."],
      ["Where to put it", "Keep it out of the sun and half a metre away from walls, or it will read too high. North sides are best."],
      ["Starting over", "To wipe everything, take the battery out, press the button, and put the battery back while you go on pressing."],
    ],
  ],
  [
    "p-kestrel-faq",
    "Kestrel sensor: questions and answers",
    [
      [
        "How long does the battery last?",
        "With one reading in ten minutes about fourteen months. Cold below minus ten takes a third of that.",
      ],
      ["Can I use it outside?", "Yes, it is protected against splashing water (IP54), but it must not lie in water."],
      ["Is my data sent abroad?", "Readings stay on the gateway in your house unless you switch on sharing."],
    ],
  ],
  [
    "p-tern",
    "Tern gateway: technical data",
    [
      ["Range", "In open country 900 metres, through two walls of brick about 40."],
      ["Power", "It draws 2.3 watts and has no battery of its own; after a power cut it is back within a minute."],
    ],
  ],
  [
    "p-library",
    "Town library: becoming a member",
    [
      ["Card", "The card is free up to eighteen years and costs 22 a year after that. Bring a document with your address."],
      ["Lending", "Books may be kept for four weeks and prolonged twice, films for one week. Each day too late costs twenty cents."],
    ],
  ],
  [
    "p-swim",
    "Indoor pool: opening hours",
    [
      ["Hours", "Early swimmers are let in from half past six on Tuesdays and Fridays. On Mondays the pool is only for schools."],
      ["Prices", "Single ticket 5.20; a card for ten visits saves one of them."],
    ],
  ],
  [
    "p-bees",
    "Why bees dance",
    [
      [
        "The figure",
        "A forager that found food far away runs a figure of eight on the comb. The angle to the vertical is the angle between the sun and the flowers.",
      ],
      ["Distance", "The longer the straight part takes, the farther the place; one second of wagging stands for about a kilometre."],
    ],
  ],
  [
    "p-concrete",
    "How Roman concrete heals itself",
    [
      [
        "Lumps of lime",
        "White crumbs that were long taken for bad mixing turn out to be the trick: when water enters a crack they dissolve and fill it with chalk.",
      ],
      ["Sea water", "In harbours a mineral called tobermorite grew in the walls and made them stronger with age."],
    ],
  ],
  [
    "p-sleep",
    "Sleep of shift workers",
    [
      [
        "The study",
        "Researchers watched 312 nurses for two years. Those who rotated forward, from early to late to night, slept forty minutes longer than those who rotated backward.",
      ],
      ["Naps", "A nap of twenty minutes before midnight halved the errors at five in the morning."],
    ],
  ],
  [
    "p-rail",
    "Night trains return",
    [
      ["The line", "From December a sleeper runs three times a week between Malmö and Basel. It takes fifteen hours."],
      ["Beds", "Compartments hold four berths; a single one costs from 129. Bicycles have to be packed."],
    ],
  ],
  [
    "p-moss",
    "Moss in the lawn",
    [
      [
        "Why it grows",
        "Moss loves sour soil, shade and water that stands. Iron kills it for one season, but it returns as long as the causes stay.",
      ],
      ["What helps", "Rake it out in May, give lime when the soil is below pH 5.5, and let the grass stand five centimetres high."],
    ],
  ],
  [
    "p-chess",
    "The opening that nobody plays",
    [
      [
        "Its name",
        "The Grob begins by moving the pawn of the king's knight two squares. Engines see White slightly worse from the first move.",
      ],
      ["Why try it", "Opponents think for ten minutes over something they have never seen."],
    ],
  ],
  [
    "p-lens",
    "Cleaning lenses without scratches",
    [
      [
        "Order",
        "Blow first, then brush, and only then wipe with a damp cloth in circles from the middle. Whoever wipes first grinds dust into the coating.",
      ],
      ["What to leave", "No window cleaner: the ammonia in it attacks the layer against reflections."],
    ],
  ],
  [
    "p-salary",
    "What you may be asked at an interview",
    [
      [
        "Forbidden questions",
        "Plans for a family, illness and faith are nobody's business, and a false answer to such a question has no consequences.",
      ],
      ["Allowed", "Questions on earlier work and on limits that touch the job must be answered truthfully."],
    ],
  ],
  [
    "p-vote",
    "Voting by letter",
    [
      [
        "How to ask for it",
        "The form is on the back of the card that comes by post three weeks ahead. It can be handed in until two days before, six in the evening.",
      ],
      ["Common mistake", "One ballot in thirty is void since the sheet with the signature was forgotten."],
    ],
  ],
  [
    "p-glacier",
    "The glacier above the village",
    [
      ["Loss", "Since 1990 its tongue went back by 740 metres. In the hot summer of 2022 alone it lost six metres of thickness."],
      ["Danger", "A lake has formed behind the moraine; sensors measure its level every five minutes and a siren stands at the church."],
    ],
  ],
  [
    "p-type",
    "Choosing type for signs",
    [
      ["Size", "As a rule a letter must be a two-hundredth of the distance it is read from: for ten metres that makes five centimetres."],
      ["Shapes", "Open forms win: with a closed c and e words melt together in fog."],
    ],
  ],
  [
    "p-battery",
    "Storing lithium batteries",
    [
      ["Charge", "Put them away half full, at around forty percent. A full one ages twice as fast in a warm room."],
      ["Place", "Ten to fifteen degrees is ideal, never in the freezer. Look after them every six months."],
    ],
  ],
  [
    "p-tea",
    "A short history of tea in bricks",
    [
      ["Money", "Leaves were pressed into bricks so that yaks could carry them, and on the way they were used as coins into the 1930s."],
      ["Taste", "The bricks were roasted, crumbled and boiled with salt and butter."],
    ],
  ],
  [
    "p-rent",
    "Rights of tenants: repairs",
    [
      [
        "Who pays",
        "The owner has to keep the flat usable. Small repairs up to 110 each can be passed on when the contract says so, but at most eight percent of a year's rent.",
      ],
      [
        "Reducing the rent",
        "When the heating is out in winter, courts let tenants keep back half and more, from the day they told the owner.",
      ],
    ],
  ],
  [
    "p-stars",
    "What to see in the sky in August",
    [
      [
        "Shooting stars",
        "The Perseids are at their best in the night of the 12th; after midnight expect one each minute. The moon sets early this year.",
      ],
      ["Planets", "Saturn rises at ten and is the brightest point low in the south-east."],
    ],
  ],
  [
    "p-knots",
    "Three knots are enough",
    [
      [
        "The bowline",
        "Makes a loop that doesn't slip and comes open after any load. Remember the rabbit that leaves its hole, runs around the tree and goes back.",
      ],
      ["The others", "A clove hitch for poles, a sheet bend to join two ropes of different thickness."],
    ],
  ],
  [
    "p-museum",
    "Museum of printing: visiting",
    [
      ["Entry", "Free on the first Sunday of the month, otherwise nine. Groups book two weeks ahead."],
      ["Press in action", "Every day at three the press from 1842 is started; visitors print a sheet and keep it."],
    ],
  ],
  [
    "p-wolf",
    "Wolves come back",
    [
      ["Numbers", "Counters found 209 packs, fifteen percent more than the year before. Most cubs die in traffic."],
      ["Sheep", "Fences of 1.20 metres under current and two dogs for each hundred animals keep losses low."],
    ],
  ],
  [
    "p-noise",
    "Why the open office tires",
    [
      ["Speech", "It is not how loud a room is but how much one understands: half-heard talk costs a tenth of the performance in tests."],
      ["Remedies", "Rugs and ceilings that swallow sound beat partition walls; a steady murmur of water covers words."],
    ],
  ],
  [
    "p-solar",
    "Panels on the balcony",
    [
      ["Limits", "Up to 800 watts may be plugged in without an electrician. The meter must not run backward."],
      ["Yield", "On a south railing about 560 kilowatt-hours a year; flat against the wall a quarter less."],
    ],
  ],
  [
    "p-honey",
    "Reading a honey label",
    [
      [
        "Origin",
        "A blend from several countries must now name each with its share. Flower honey with more than a fifth of water will ferment.",
      ],
      ["Heating", "Above forty degrees the enzymes go; an index called diastase tells it."],
    ],
  ],
  [
    "p-scooter",
    "City tries out rented scooters",
    [
      [
        "Trial",
        "For eighteen months 600 scooters may stand in marked places only. After dark they are throttled to 15 kilometres an hour in the old town.",
      ],
      ["Fines", "Whoever leaves one across a pavement pays 25, which the firm passes on."],
    ],
  ],
  [
    "p-salt",
    "How salt reached the mountains",
    [
      ["The road", "Mules brought it up in eleven days and took cheese down. A toll tower still stands at the narrowest point."],
      ["The end", "The railway of 1879 did the same in nine hours, and the inns closed within a decade."],
    ],
  ],
  [
    "p-violin",
    "Wood for violins",
    [
      ["Spruce", "The top comes from trees that grew slowly above a thousand metres; the rings are less than a millimetre apart."],
      ["Drying", "Boards rest for five years at least. Some makers keep them for their grandchildren."],
    ],
  ],
  [
    "p-plum",
    "Old kinds of fruit: the Harnby plum",
    [
      ["Fruit", "Small, blue with a yellow stripe, ripe by the end of September. It doesn't keep but dries well."],
      ["Rescue", "Only two trees were left in 1998; grafts from them stand in sixty gardens now."],
    ],
  ],
  [
    "p-pilot",
    "How ship pilots board",
    [
      [
        "The ladder",
        "A rope ladder hangs nine metres at most; above that it must be joined with stairs. Most accidents happen in the last step.",
      ],
      ["Pay", "Pilots are paid by the size of the ship and the distance, from a common purse."],
    ],
  ],
  [
    "p-clay",
    "Plaster of clay",
    [
      [
        "Use",
        "It takes up water from the air within minutes and gives it back later, so that bathrooms dry without a fan. It may be wetted and smoothed again years later.",
      ],
      ["Limits", "Not behind the shower and not where it freezes when wet."],
    ],
  ],
  [
    "p-code",
    "Reading other people's code",
    [
      [
        "Begin at the edge",
        "Start where data enters and follow one single request to the end before opening anything else. Writing a test that fails teaches more than an hour of reading.",
      ],
      ["Names", "A thing that is hard to name usually does two jobs."],
    ],
  ],
];
