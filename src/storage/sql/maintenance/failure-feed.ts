import { StorageError } from "#domain/core/errors/storage-error.ts";
import type { Driver } from "../driver.ts";

export type FailureFeed = {
  /** Returns a driver whose storage errors are reported, if `isReported` returns true for them. */
  observe(driver: Driver, isReported?: (error: StorageError) => boolean): Driver;
  /** Calls the listener with each storage error of any caller. Returns the function that unsubscribes. */
  subscribe(listener: (error: StorageError) => void): () => void;
};

/** Reports storage errors of all calls, so that the state of the storage follows what really happens. */
export function createFailureFeed(): FailureFeed {
  const listeners = new Set<(error: StorageError) => void>();
  return {
    observe(driver, isReported = () => true) {
      const report = (error: unknown): void => {
        if (error instanceof StorageError && isReported(error)) for (const listener of listeners) listener(error);
      };
      // The caller gets the promise itself, which takes no turn more to settle.
      const observed = <T>(work: Promise<T>): Promise<T> => {
        work.catch(report);
        return work;
      };
      return {
        dialect: driver.dialect,
        isShared: driver.isShared,
        storedBytes: driver.storedBytes,
        toSharedTime: driver.toSharedTime,
        read: (unit) => observed(driver.read(unit)),
        write: (unit) => observed(driver.write(unit)),
        writeSettings: (settings, unit) => observed(driver.writeSettings(settings, unit)),
        writeTogether: (boardId, unit) => observed(driver.writeTogether(boardId, unit)),
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
