import { buttonClasses } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { SearchIcon } from "../ui/icons/icons.tsx";
import { useTitle } from "../ui/use-title.ts";
import { Shell } from "./shell.tsx";

export function NotFoundPage() {
  useTitle("Nothing here");
  return (
    <Shell>
      <main>
        <EmptyState
          isPage
          title="Nothing here"
          icon={<SearchIcon />}
          actions={
            <a href="/" className={buttonClasses("primary")}>
              Go to your board
            </a>
          }
        >
          The address may have a slip in it, or what it showed was deleted.
        </EmptyState>
      </main>
    </Shell>
  );
}
