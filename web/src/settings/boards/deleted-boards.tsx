import { useRestoreBoard } from "../../api/boards.ts";
import { Button } from "../../ui/controls/button.tsx";
import { UndoIcon } from "../../ui/icons/icons.ts";
import { showToast } from "../../ui/toasts.ts";
import { useAllBoards } from "../../api/settings.ts";
import { restoreFocus } from "../parts/restore-focus.ts";
import { ListItem, List } from "../parts/list.tsx";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** How long the server keeps a deleted board, in days. */
const KEPT_DAYS = 30;

/** Deleted boards that can be restored; nothing if there are none. */
export function DeletedBoards() {
  const { data: boards } = useAllBoards();
  const restore = useRestoreBoard();
  const deleted = boards?.filter(({ deletedAt }) => deletedAt !== null) ?? [];
  if (deleted.length === 0) return null;
  return (
    <section aria-labelledby="deleted-boards" className="flex flex-col gap-2">
      <h2 id="deleted-boards" className="text-lg font-semibold">
        Deleted
      </h2>
      <p className="text-sm text-quiet">Deleted boards can be restored for {KEPT_DAYS} days with all their content.</p>
      <List label="Deleted boards">
        {deleted.map(({ id, name, deletedAt }) => (
          <ListItem
            key={id}
            title={name}
            details={
              deletedAt !== null && (
                <span>
                  Deleted <RelativeTime at={deletedAt} />
                </span>
              )
            }
            actions={
              <Button
                size="sm"
                isBusy={restore.isPending && restore.variables === id}
                onClick={() =>
                  restore.mutate(id, {
                    onSuccess: () => {
                      restoreFocus();
                      showToast({ text: `“${name}” restored.`, kind: "good" });
                    },
                  })
                }
              >
                <UndoIcon />
                Restore
              </Button>
            }
          />
        ))}
      </List>
    </section>
  );
}
