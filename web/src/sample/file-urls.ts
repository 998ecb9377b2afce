/** The addresses of the files of the sample board, by name. The build copies the files; nothing comes from another server. */
const urls = import.meta.glob<string>("./files/*", { query: "?url", import: "default", eager: true });

/** Downloads a file of the sample board from the server of this page. */
export async function fetchSampleFile(name: string): Promise<Blob> {
  const url = urls[`./files/${name}`];
  const response = url === undefined ? null : await fetch(url);
  if (response?.ok !== true) throw new Error("A file of the sample could not be loaded. Reload the page and try again.");
  return response.blob();
}
