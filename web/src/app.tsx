import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { createQueryClient } from "./api/client/query-client.ts";
import { Pages } from "./pages.tsx";
import { ConnectionBanner } from "./shell/connection-banner.tsx";
import { ErrorBoundary } from "./ui/states/error-boundary.tsx";
import { prefetchInitialData } from "./prefetch.ts";
import { Toasts } from "./ui/floating/toast.tsx";
import { TooltipLayer } from "./ui/controls/tooltip.tsx";

export function App() {
  const [client] = useState(() => {
    const made = createQueryClient();
    prefetchInitialData(made);
    return made;
  });
  const [path] = useLocation();
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <ErrorBoundary resetKey={path}>
          <Pages />
        </ErrorBoundary>
        {/* Beside the page, since dialogs lie above everything that is in it. */}
        {createPortal(
          <>
            <ConnectionBanner />
            <Toasts />
          </>,
          document.body,
        )}
        <TooltipLayer />
        {/* Menus are drawn in here, above whatever cuts off what it holds. */}
        <section id="menus" aria-label="Menus" />
      </QueryClientProvider>
    </CSPProvider>
  );
}
