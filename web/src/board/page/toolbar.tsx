import { CloseIcon, FilterIcon, PlusIcon } from "../../ui/icons/icons.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { RemovableTag } from "../../ui/tags/tag-chip.tsx";
import { foldTag, hasTag } from "../../ui/tags/tags.ts";
import { formatCount } from "../../text/plural.ts";
import { cn } from "../../ui/class-names.ts";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { GROUP_NAMES, type KindGroup } from "../model/kinds.ts";
import { isFiltered, type Sorting, type View, DEFAULT_VIEW } from "../model/view.ts";

const STATUS_NAMES = { ready: "Ready", processing: "Processing", failed: "Failed" } as const;
const SORTING_NAMES: Readonly<Record<Sorting, string>> = {
  manual: "Manual order",
  newest: "Newest first",
  oldest: "Oldest first",
  title: "Title",
};

type ToolbarProps = {
  readonly view: View;
  readonly onChange: (view: View) => void;
  /** The tags of the board's tiles. */
  readonly tags: readonly string[];
  /** Whether the tiles that the filters and the order need are being loaded. */
  readonly isLoading: boolean;
  readonly failed: number;
  readonly onRetryFailed: () => void;
  /** Whether the toolbar is open on phones, where it is hidden by default. */
  readonly isOpen: boolean;
  readonly onAddZone: () => void;
};

/** The filters and the sorting of the board, and the button for a new zone, which columns beyond the screen can't push away. */
export function Toolbar({ view, onChange, tags, isLoading, failed, onRetryFailed, isOpen, onAddZone }: ToolbarProps) {
  return (
    <div
      role="search"
      aria-label="Filter the board"
      className={cn("flex shrink-0 flex-wrap items-center gap-2 px-3 pt-2 pb-1", !isOpen && !isFiltered(view) && "max-sm:hidden")}
    >
      <FilterIcon className="text-quiet" />
      <TextField
        label="Filter by title or URL"
        hideLabel
        type="search"
        placeholder="Filter by title"
        autoComplete="off"
        value={view.query}
        onChange={(event) => onChange({ ...view, query: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.nativeEvent.isComposing && view.query !== "") onChange({ ...view, query: "" });
        }}
        className="max-w-44 min-w-36 flex-1 gap-0!"
      />
      <FilterSelects view={view} onChange={onChange} />
      <TagSelect view={view} onChange={onChange} tags={tags} />
      {view.tags.map((tag) => (
        <RemovableTag
          key={tag}
          tag={tag}
          isShort
          removeLabel={`Stop filtering by the tag ${tag}`}
          onRemove={() => onChange({ ...view, tags: view.tags.filter((one) => one !== tag) })}
        />
      ))}
      {isFiltered(view) && (
        <Button variant="quiet" size="sm" onClick={() => onChange({ ...DEFAULT_VIEW, sorting: view.sorting })}>
          <CloseIcon />
          Clear filters
        </Button>
      )}
      {isLoading && (
        <span role="status" className="flex shrink-0 items-center gap-2 text-sm text-quiet">
          <Spinner /> Loading all tiles…
        </span>
      )}
      {failed > 0 && (
        <span className="flex shrink-0 items-center gap-1 text-sm text-danger">
          {failed.toLocaleString("en")} failed
          <Button variant="quiet" size="sm" onClick={onRetryFailed}>
            Retry all
          </Button>
        </span>
      )}
      <Button variant="quiet" size="sm" className="ml-auto text-quiet max-sm:hidden" onClick={onAddZone}>
        <PlusIcon />
        Add a zone
      </Button>
    </div>
  );
}

function FilterSelects({ view, onChange }: Pick<ToolbarProps, "view" | "onChange">) {
  return (
    <>
      <Select
        label="Type"
        hideLabel
        value={view.group ?? ""}
        onChange={(event) => onChange({ ...view, group: (event.target.value || null) as KindGroup | null })}
        className="w-34 shrink-0 gap-0!"
      >
        <option value="">All types</option>
        <Options names={GROUP_NAMES} />
      </Select>
      <Select
        label="Status"
        hideLabel
        value={view.status ?? ""}
        onChange={(event) => onChange({ ...view, status: (event.target.value || null) as View["status"] })}
        className="w-36 shrink-0 gap-0!"
      >
        <option value="">All statuses</option>
        <Options names={STATUS_NAMES} />
      </Select>
      <Select
        label="Order"
        hideLabel
        value={view.sorting}
        onChange={(event) => onChange({ ...view, sorting: event.target.value as Sorting })}
        className="w-39 shrink-0 gap-0!"
      >
        <Options names={SORTING_NAMES} />
      </Select>
    </>
  );
}

/** Stands for several tags, which only chips can choose. No tag is empty after trimming. */
const SEVERAL = " ";

/** Chooses the tag that tiles must have, in place of those chosen before; absent on a board without tags. */
function TagSelect({ view, onChange, tags }: Pick<ToolbarProps, "view" | "onChange" | "tags">) {
  const [first] = view.tags;
  const options = first === undefined || hasTag(tags, first) ? tags : [first, ...tags];
  if (options.length === 0) return null;
  return (
    <Select
      label="Tag"
      hideLabel
      value={view.tags.length > 1 ? SEVERAL : foldTag(first ?? "")}
      onChange={({ target: { value } }) => onChange({ ...view, tags: options.filter((tag) => foldTag(tag) === value) })}
      className="w-34 shrink-0 gap-0!"
    >
      <option value="">All tags</option>
      {view.tags.length > 1 && <option value={SEVERAL}>{formatCount(view.tags.length, "tag")}</option>}
      {options.map((tag) => (
        <option key={tag} value={foldTag(tag)}>
          {tag}
        </option>
      ))}
    </Select>
  );
}

const Options = ({ names }: { readonly names: Readonly<Record<string, string>> }) =>
  Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
