/**
 * Releases a lock of proper-lockfile. One that was lost before (its folder was deleted, or another lab took it) leaves nothing
 * to release: that is no failure.
 */
export async function releaseLock(release: () => Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    const lost =
      error instanceof Error && 'code' in error && ['ERELEASED', 'ENOTACQUIRED'].includes(String(error.code));
    if (!lost) throw error;
  }
}
