/** The column nearest to the middle of the row. */
export function findCentredColumn(row: HTMLElement): HTMLElement | null {
  const middle = row.getBoundingClientRect().left + row.clientWidth / 2;
  let nearest: HTMLElement | null = null;
  let minDistance = Infinity;
  for (const column of row.querySelectorAll<HTMLElement>("[data-column]")) {
    const { left, width } = column.getBoundingClientRect();
    const distance = Math.abs(left + width / 2 - middle);
    if (distance < minDistance) [nearest, minDistance] = [column, distance];
  }
  return nearest;
}

export const scrollToColumn = (column: Element | null | undefined): void =>
  column?.scrollIntoView({ behavior: "smooth", inline: "center", block: "nearest" });

/** Whether an element shows one column at a time, as the row does on phones. */
export const isPaged = (element: Element): boolean => getComputedStyle(element).scrollSnapType.startsWith("x");
