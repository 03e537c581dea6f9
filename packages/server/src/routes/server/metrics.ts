import type { Route } from '../route.ts';

/** What was counted, for Prometheus. */
export const showMetrics: Route = {
  method: 'GET',
  path: '/metrics',
  scope: 'admin',
  summary: 'Counts since the server began, for Prometheus',
  media: ['text/plain'],
  handle({ parts }) {
    const text = parts.metrics.text({
      askema_questions_running: parts.live.count,
      askema_draining: parts.isDraining() ? 1 : 0,
    });
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  },
};
