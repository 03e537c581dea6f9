export const GET = () => new Response('Hello from the application');
