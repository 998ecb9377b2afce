import { buttonClasses } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { SearchIcon } from "../ui/icons/icons.ts";
import { useTitle } from "../ui/hooks/use-title.ts";
import { Shell } from "./shell.tsx";

export function NotFoundPage() {
  useTitle("Page not found");
  return (
    <Shell>
      <main>
        <EmptyState
          isPage
          title="Page not found"
          icon={<SearchIcon />}
          actions={
            <a href="/" className={buttonClasses("primary")}>
              Go to your board
            </a>
          }
        >
          Check the address. The page may have been deleted.
        </EmptyState>
      </main>
    </Shell>
  );
}
