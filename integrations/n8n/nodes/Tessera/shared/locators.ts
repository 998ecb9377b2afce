import type { IDisplayOptions, INodeProperties, INodePropertyMode } from "n8n-workflow";

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
export const boardLocator = ({ name = "board", displayName = "Board", description, required = true, displayOptions }: LocatorOptions) =>
  locator({
    name,
    displayName,
    required,
    description: description ?? "The board to use",
    displayOptions,
    modes: [listMode("searchBoards", "Select a board..."), urlMode(BOARD_URL, "board", "/b/brd_..."), idMode("brd_", "board")],
  });

/** A field for a zone of the board that is chosen beside it: from a list or by id. */
export const zoneLocator = (
  { name = "zone", displayName = "Zone", description = "", displayOptions }: LocatorOptions,
  method = "searchZones",
) =>
  locator({
    name,
    displayName,
    required: false,
    description,
    displayOptions,
    modes: [listMode(method, "Select a zone..."), idMode("zon_", "zone")],
  });

/** A field for a tile: by id, or by the address that the page shows while the tile is open. */
export const tileLocator = ({ displayOptions, description = "The tile to use" }: LocatorOptions) =>
  locator({
    name: "tile",
    displayName: "Tile",
    required: true,
    description,
    displayOptions,
    modes: [idMode("til_", "tile"), urlMode(TILE_URL, "tile", "/b/brd_...?tile=til_...")],
  });

type Locator = Pick<INodeProperties, "name" | "displayName" | "required" | "description"> & {
  readonly displayOptions: IDisplayOptions | undefined;
  readonly modes: INodePropertyMode[];
};

const locator = ({ displayOptions, modes, ...rest }: Locator): INodeProperties => ({
  ...rest,
  type: "resourceLocator",
  default: { mode: modes[0]?.name ?? "id", value: "" },
  modes,
  ...(displayOptions === undefined ? {} : { displayOptions }),
});

const listMode = (searchListMethod: string, placeholder: string): INodePropertyMode => ({
  displayName: "From List",
  name: "list",
  type: "list",
  placeholder,
  typeOptions: { searchListMethod, searchable: true },
});

const urlMode = (regex: string, noun: string, path: string): INodePropertyMode => ({
  displayName: "By URL",
  name: "url",
  type: "string",
  placeholder: `e.g. https://tessera.example.com${path}`,
  extractValue: { type: "regex", regex },
  validation: [{ type: "regex", properties: { regex, errorMessage: `This is not the address of a ${noun}` } }],
});

const idMode = (prefix: string, noun: string): INodePropertyMode => ({
  displayName: "By ID",
  name: "id",
  type: "string",
  placeholder: `e.g. ${prefix}01hzy...`,
  validation: [{ type: "regex", properties: { regex: `${prefix}[0-9a-z]+`, errorMessage: `The ID of a ${noun} begins with ${prefix}` } }],
});
