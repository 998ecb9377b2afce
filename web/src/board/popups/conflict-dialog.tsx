import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";

type ConflictDialogProps = {
  readonly isOpen: boolean;
  readonly title: string;
  /** The other person's version and the local one. */
  readonly theirs: string;
  readonly mine: string;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
  readonly onClose: () => void;
};

/** Shows both versions after a conflicting change, and lets the user choose. */
export function ConflictDialog({ isOpen, title, theirs, mine, onTheirs, onMine, onClose }: ConflictDialogProps) {
  const actions = (
    <>
      <Button onClick={onTheirs}>Keep theirs</Button>
      <Button variant="primary" onClick={onMine}>
        Use mine
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} actions={actions} closesOutside={false}>
      <dl className="flex flex-col gap-3">
        <Version name="Their version (saved)" text={theirs} />
        <Version name="Your version (not saved)" text={mine} />
      </dl>
    </Dialog>
  );
}

function Version({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd
        dir="auto"
        className="mt-1 max-h-40 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 break-words whitespace-pre-wrap"
      >
        {text}
      </dd>
    </div>
  );
}
