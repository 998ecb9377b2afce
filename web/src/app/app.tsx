import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { LucideProvider } from "lucide-react";
import { useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { createQueryClient } from "../api/client/query-client.ts";
import { Pages } from "./pages.tsx";
import { ConnectionBanner } from "../shell/connection-banner.tsx";
import { ErrorBoundary } from "../ui/states/error-boundary.tsx";
import { prefetchInitialData } from "./prefetch.ts";
import { StorageBanner } from "./storage-banner.tsx";
import { Toasts } from "../ui/floating/toast.tsx";
import { TooltipLayer } from "../ui/controls/tooltip.tsx";
import { usePublishedHeight } from "../ui/hooks/use-published-height.ts";

export function App() {
  const [client] = useState(() => {
    const queryClient = createQueryClient();
    prefetchInitialData(queryClient);
    return queryClient;
  });
  const [path] = useLocation();
  return (
    <CSPProvider disableStyleElements>
      <LucideProvider className="size-4 shrink-0" strokeWidth={2.25}>
        <QueryClientProvider client={client}>
          <ErrorBoundary resetKey={path}>
            <Pages />
          </ErrorBoundary>
          {/* Outside the page's root, so that they stay above open dialogs. */}
          {createPortal(
            <>
              <Banners />
              <Toasts />
            </>,
            document.body,
          )}
          <TooltipLayer />
          {/* Container for menus, so that no ancestor clips them. */}
          <section id="menus" aria-label="Menus" />
        </QueryClientProvider>
      </LucideProvider>
    </CSPProvider>
  );
}

/** What is wrong with the server, at the bottom of the page, which ends above it. */
function Banners() {
  const banners = useRef<HTMLDivElement>(null);
  usePublishedHeight(banners, "--banners-height");
  return (
    <div ref={banners} className="fixed inset-x-0 bottom-0 z-50">
      <StorageBanner />
      <ConnectionBanner />
    </div>
  );
}
