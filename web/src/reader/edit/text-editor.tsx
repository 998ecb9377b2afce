import { useState } from "react";
import { useIsConnected } from "../../api/client/connection.ts";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Kbd } from "../../ui/icons/kbd.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { TextArea } from "../../ui/controls/text-field.tsx";
import { Conflict } from "./conflict.tsx";
import type { TileEdit } from "./use-tile-edit.ts";

export type TextEditorProps = {
  readonly edit: TileEdit;
  /** Whether the text comes from a link, which is no longer refreshed after an edit. */
  readonly isLink: boolean;
};

/** The editor of a tile's text; Ctrl or Cmd+Enter saves. */
export function TextEditor({ edit, isLink }: TextEditorProps) {
  const value = edit.draft?.value ?? "";
  const [initial] = useState(value);
  const isWaiting = !useIsConnected() && edit.isSaving;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        edit.save();
      }}
    >
      <TextArea
        label="Text"
        hint={
          isLink
            ? "If you edit this text, the link is no longer refreshed automatically."
            : "Supports Markdown, such as # for a heading and - for a list."
        }
        defaultValue={initial}
        error={edit.problem}
        rows={18}
        autoFocus
        inputClassName="min-h-64 font-mono text-sm"
        onChange={(event) => edit.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) edit.save();
        }}
      />
      {isWaiting && <Notice kind="warn">No connection. Your text is kept and saved as soon as the server is reachable again.</Notice>}
      {edit.theirs === null ? (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto text-sm text-quiet max-sm:hidden">
            <Kbd keys="Mod+Enter" /> to save
          </span>
          {edit.problem !== null && <CopyButton text={value} label="Copy my text" />}
          <Button size="sm" onClick={edit.end}>
            Cancel
          </Button>
          <Button size="sm" variant="primary" type="submit" isBusy={edit.isSaving}>
            Save text
          </Button>
        </div>
      ) : (
        <Conflict edit={edit} noun="text" />
      )}
    </form>
  );
}
