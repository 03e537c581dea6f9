/** Whether a request asks for this type by name; JSON is what it gets else. */
export function accepts(request: Request, type: string): boolean {
  const accepted = (request.headers.get('accept') ?? '').toLowerCase().split(',');
  return accepted.some((each) => each.split(';', 1)[0]?.trim() === type);
}
