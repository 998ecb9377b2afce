import { useEffect, useState } from "react";
import type * as boardRoom from "./board-route.tsx";
import { Loading } from "./ui/states/loading.tsx";

type Room = typeof boardRoom;

let loading: Promise<Room> | undefined;
let loaded: Room | undefined;

/** Loads the part of the page that shows boards. */
export function loadBoard(): void {
  void load().catch(() => undefined);
}

/** The board, as soon as it is loaded. Without `Suspense`, which shows what it waited for only 300 ms after what stood in for it. */
export function BoardWhenLoaded({ boardId }: { readonly boardId: string }) {
  const [room, setRoom] = useState(loaded);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (room === undefined) load().then(setRoom, setFailure);
  }, [room]);
  if (failure !== undefined) throw failure;
  return room === undefined ? <Loading label="Loading the board" /> : <room.BoardRoute boardId={boardId} />;
}

function load(): Promise<Room> {
  loading ??= import("./board-route.tsx").then(
    (room) => (loaded = room),
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
