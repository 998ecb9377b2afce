import { type ComponentType, useEffect } from "react";
import { cn } from "../ui/class-names.ts";
import { ErrorBoundary } from "../ui/states/error-boundary.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { type Part, usePart } from "./part.ts";
import { PartProblem, type PartPlace, PLACES } from "./part-problem.tsx";

export type LazyViewOptions = {
  /** What it shows, to begin a sentence with: "The tile". */
  readonly name: string;
  readonly place: PartPlace;
};

export type LazyViewEvents = {
  readonly onClose?: () => void;
  /** The part could not be loaded, and says so in its place. */
  readonly onProblem?: () => unknown;
};

/**
 * The component of a part. It is drawn at once where it is loaded. `React.lazy` is not used: what it suspends is shown 300 ms after what
 * stood in for it at the earliest, and it never tries again. A failure stays in the part's own place.
 */
export function lazyView<Props extends object>(
  part: Part<ComponentType<Props>>,
  { name, place }: LazyViewOptions,
): ComponentType<Props & LazyViewEvents> {
  return function LazyView(props) {
    const state = usePart(part);
    const { onProblem } = props;
    const hasFailed = state.status === "failed";
    useEffect(() => {
      if (hasFailed) onProblem?.();
    }, [hasFailed, onProblem]);
    const problem = { name, place, onClose: props.onClose };
    if (state.status === "failed")
      return <PartProblem {...problem} problem={state.problem} isRetrying={state.isRetrying} onRetry={() => void part.load()} />;
    if (state.status !== "ready") return place === "card" ? null : <Waiting name={name} place={place} />;
    const View = state.value;
    return (
      <ErrorBoundary renderProblem={(retry) => <PartProblem {...problem} problem="crashed" isRetrying={false} onRetry={retry} />}>
        <View {...props} />
      </ErrorBoundary>
    );
  };
}

function Waiting({ name, place }: LazyViewOptions) {
  const loading = <Loading label={`${name} is loading`} />;
  return place === "column" ? <div className={cn(PLACES.column)}>{loading}</div> : place === "page" ? loading : null;
}
