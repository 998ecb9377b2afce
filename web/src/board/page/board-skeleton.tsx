/** Empty columns shown while the board loads, to avoid layout shifts. */
export function BoardSkeleton() {
  return (
    <div role="status" aria-label="Loading the board" className="flex h-full flex-col">
      <div className="h-12 shrink-0" />
      <div className="flex min-h-0 flex-1 gap-3 overflow-hidden p-3 pt-1">
        {[0, 1, 2].map((column) => (
          <div key={column} className="h-full w-[calc(100vw-2.5rem)] shrink-0 rounded-xl border border-line bg-surface sm:w-76" />
        ))}
      </div>
    </div>
  );
}
