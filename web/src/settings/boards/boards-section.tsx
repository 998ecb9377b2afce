import type { Board } from "@tessera-board/sdk";
import { useState } from "react";
import { useBoards, useDeleteBoard, useRestoreBoard, useUpdateBoard } from "../../api/boards.ts";
import { getErrorMessage } from "../../api/client/client.ts";
import { useMember } from "../../api/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PlusIcon } from "../../ui/icons/icons.ts";
import { showToast } from "../../ui/toasts.ts";
import { SectionLayout } from "../parts/section-layout.tsx";
import { restoreFocus } from "../parts/restore-focus.ts";
import { QueryView } from "../parts/query-view.tsx";
import { List } from "../parts/list.tsx";
import { BoardDialog } from "./board-dialog.tsx";
import { BoardRow } from "./board-row.tsx";
import { DeletedBoards } from "./deleted-boards.tsx";

/** Lists, creates, renames, deletes and restores boards, and sets the default. */
export function BoardsSection() {
  const { canAdminister } = useMember();
  const boards = useBoards();
  const [isCreating, setCreating] = useState(false);
  const [renamed, setRenamed] = useState<Board | null>(null);
  const { makeDefault, deleteBoard } = useBoardActions();
  return (
    <SectionLayout
      title="Boards"
      lead={
        canAdminister
          ? "Each board has its own zones and tiles. The default board opens first, and is used when no board is specified."
          : "Admins and owners create, rename and delete boards."
      }
      actions={
        canAdminister && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            <PlusIcon />
            New board
          </Button>
        )
      }
    >
      <QueryView query={boards} label="boards">
        {(list) => (
          <List label="Boards">
            {list.map((board) => (
              <BoardRow
                key={board.id}
                board={board}
                canManage={canAdminister}
                onRename={() => setRenamed(board)}
                onMakeDefault={() => makeDefault(board)}
                onDelete={() => deleteBoard(board)}
              />
            ))}
          </List>
        )}
      </QueryView>
      {canAdminister && <DeletedBoards />}
      {isCreating && <BoardDialog board={null} onClose={() => setCreating(false)} />}
      {renamed !== null && <BoardDialog board={renamed} onClose={() => setRenamed(null)} />}
    </SectionLayout>
  );
}

function useBoardActions() {
  const update = useUpdateBoard();
  const remove = useDeleteBoard();
  const restore = useRestoreBoard();
  const makeDefault = ({ id, name }: Board) =>
    update.mutate(
      { boardId: id, isDefault: true },
      {
        onSuccess: () => showToast({ text: `“${name}” is now the default board.`, kind: "good" }),
        onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }),
      },
    );
  const deleteBoard = ({ id, name }: Board) =>
    remove.mutate(id, {
      onSuccess: () => {
        restoreFocus();
        showToast({ text: `“${name}” deleted.`, action: { label: "Undo", onPress: () => restore.mutate(id) } });
      },
    });
  return { makeDefault, deleteBoard };
}
