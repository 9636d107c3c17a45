interface FormWithInputs {
  getInputNode: (path: string) => HTMLElement | null;
}

/** Focuses the first invalid field in page order. */
export function focusFirstError(form: FormWithInputs, errors: Readonly<Record<string, unknown>>): void {
  const inputs = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null);
  inputs.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  inputs[0]?.focus();
}
