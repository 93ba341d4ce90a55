/**
 * Aborted when one of `signals` is, or after `ms`. Not by AbortSignal.timeout: once it is a source of AbortSignal.any, nothing else
 * holds it, and Node.js 20 collects it before its time has come; then the wait has no end.
 */
export function limitTo(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`no end within ${ms / 1000} s`, 'TimeoutError'));
  }, ms);
  // Whoever waits keeps the process alive; the limit alone must not.
  timer.unref();
  return AbortSignal.any([controller.signal, ...signals]);
}
