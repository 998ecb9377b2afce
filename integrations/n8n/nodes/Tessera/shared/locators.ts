import type { IDisplayOptions, INodeProperties } from "n8n-workflow";

const BOARD_URL = "https?://[^/]+(?:/[^?#]*)?/b/(brd_[0-9a-z]+)(?:[/?#].*)?";
const TILE_URL = "https?://[^/]+(?:/[^?#]*)?/b/brd_[0-9a-z]+/?\\?(?:[^#]*&)?tile=(til_[0-9a-z]+)(?:[&#].*)?";

type LocatorOptions = {
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly displayOptions?: IDisplayOptions;
};

/** A field for a board: from a list, by address or by id. */
export const boardLocator = (options: LocatorOptions): INodeProperties => ({
  displayName: "Board",
  name: "board",
  type: "resourceLocator",
  default: { mode: "list", value: "" },
  required: true,
  description: "The board to use",
  ...options,
  modes: [
    {
      displayName: "From List",
      name: "list",
      type: "list",
      placeholder: "Select a board...",
      typeOptions: { searchListMethod: "searchBoards", searchable: true },
    },
    {
      displayName: "By URL",
      name: "url",
      type: "string",
      placeholder: "e.g. https://tessera.example.com/b/brd_...",
      extractValue: { type: "regex", regex: BOARD_URL },
      validation: matching(BOARD_URL, "This is not the address of a board"),
    },
    {
      displayName: "By ID",
      name: "id",
      type: "string",
      placeholder: "e.g. brd_01hzy...",
      validation: matching("brd_[0-9a-z]+", "The ID of a board begins with brd_"),
    },
  ],
});

/** A field for a zone of the board that is chosen beside it: from a list or by id. */
export const zoneLocator = (options: LocatorOptions, searchListMethod = "searchZones"): INodeProperties => ({
  displayName: "Zone",
  name: "zone",
  type: "resourceLocator",
  default: { mode: "list", value: "" },
  ...options,
  modes: [
    {
      displayName: "From List",
      name: "list",
      type: "list",
      placeholder: "Select a zone...",
      typeOptions: { searchListMethod, searchable: true },
    },
    {
      displayName: "By ID",
      name: "id",
      type: "string",
      placeholder: "e.g. zon_01hzy...",
      validation: matching("zon_[0-9a-z]+", "The ID of a zone begins with zon_"),
    },
  ],
});

/** A field for a tile: by id, or by the address that the page shows while the tile is open. */
export const tileLocator = (options: LocatorOptions): INodeProperties => ({
  displayName: "Tile",
  name: "tile",
  type: "resourceLocator",
  default: { mode: "id", value: "" },
  required: true,
  description: "The tile to use",
  ...options,
  modes: [
    {
      displayName: "By ID",
      name: "id",
      type: "string",
      placeholder: "e.g. til_01hzy...",
      validation: matching("til_[0-9a-z]+", "The ID of a tile begins with til_"),
    },
    {
      displayName: "By URL",
      name: "url",
      type: "string",
      placeholder: "e.g. https://tessera.example.com/b/brd_...?tile=til_...",
      extractValue: { type: "regex", regex: TILE_URL },
      validation: matching(TILE_URL, "This is not the address of a tile"),
    },
  ],
});

/** What the editor checks before the workflow runs. */
const matching = (regex: string, errorMessage: string) => [{ type: "regex", properties: { regex, errorMessage } }];
