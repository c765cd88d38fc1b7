/** What the server says was wrong (RFC 9457). */
export async function problem(response: Response): Promise<string> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return detail ?? `The server answered ${response.status}.`;
}
