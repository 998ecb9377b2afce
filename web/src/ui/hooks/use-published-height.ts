import { type RefObject, useLayoutEffect } from "react";

/** The CSS variables that hold the heights of what stands at the bottom of the page. */
type HeightVariable = "--banners-height" | "--question-box-height";

/** Publishes the height of an element in pixels as a CSS variable of the page, so that others can keep clear of it. Hidden elements have none. */
export function usePublishedHeight(element: RefObject<HTMLElement | null>, variable: HeightVariable): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(variable, `${current.offsetHeight}px`));
    observer.observe(current, { box: "border-box" });
    return () => {
      observer.disconnect();
      style.removeProperty(variable);
    };
  }, [element, variable]);
}
