import { logIn } from '../../../sessions.ts';

export async function POST(request: Request): Promise<Response> {
  const { name, password } = await request.json();
  const cookie = logIn(String(name), String(password));
  if (cookie === undefined) return new Response(null, { status: 403 });
  return new Response(null, { status: 204, headers: { 'set-cookie': cookie } });
}
