/** The link must survive until the browser has fetched the file. */
const KEEP_LINK_MS = 10_000;

export function saveText(text: string, fileName: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_LINK_MS);
}
