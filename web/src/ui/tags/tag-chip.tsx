import type { ComponentProps } from "react";
import { cn } from "../class-names.ts";
import { CloseIcon } from "../icons/icons.ts";
import { getTagColor } from "./tags.ts";

const CHIP = "inline-flex min-w-0 max-w-full items-center border text-xs text-ink";
/** The touch target is higher than the chip without taking more space. */
const TARGET = "relative after:absolute after:inset-x-0 after:-inset-y-1 pointer-coarse:after:-inset-y-3";

/** The tag's text in one line, in full when pointed at. */
const ShortTag = ({ tag }: { readonly tag: string }) => (
  <bdi title={tag} className="truncate">
    {tag}
  </bdi>
);

/** Tags that are only shown. */
export const TagList = ({ tags }: { readonly tags: readonly string[] }) =>
  tags.length > 0 && (
    <div role="group" aria-label="Tags" className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <span key={tag} className={cn(CHIP, getTagColor(tag), "rounded-full px-2 py-px")}>
          <ShortTag tag={tag} />
        </span>
      ))}
    </div>
  );

type TagButtonProps = Omit<ComponentProps<"button">, "children"> & { readonly tag: string };

/** A tag as a button. */
export const TagButton = ({ tag, className, ...button }: TagButtonProps) => (
  <button type="button" {...button} className={cn(CHIP, TARGET, getTagColor(tag), "rounded-full px-2 py-px hover:border-ink", className)}>
    <ShortTag tag={tag} />
  </button>
);

type RemovableTagProps = {
  readonly tag: string;
  /** What the button at its end does. */
  readonly removeLabel: string;
  readonly onRemove: () => void;
  /** Makes the tag itself a button. */
  readonly onSelect?: () => void;
  readonly selectLabel?: string;
  /** Keeps a long tag in one short line, where there is little space. */
  readonly isShort?: boolean;
};

/** A tag with a button that removes it. */
export function RemovableTag({ tag, removeLabel, onRemove, onSelect, selectLabel, isShort = false }: RemovableTagProps) {
  const name = isShort ? <ShortTag tag={tag} /> : <bdi className="wrap-anywhere">{tag}</bdi>;
  return (
    <span className={cn(CHIP, getTagColor(tag), "rounded-2xl py-px pl-2.5 text-sm pointer-coarse:rounded-3xl", isShort && "max-w-60!")}>
      {onSelect === undefined ? (
        name
      ) : (
        <button
          type="button"
          aria-label={selectLabel}
          onClick={onSelect}
          className="inline-flex min-w-0 text-start hover:underline pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          {name}
        </button>
      )}
      <button
        type="button"
        data-remove
        aria-label={removeLabel}
        onClick={onRemove}
        className="ml-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-hover print:hidden pointer-coarse:size-11"
      >
        <CloseIcon className="size-3.5" />
      </button>
    </span>
  );
}
