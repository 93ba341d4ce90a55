/** How the process ends: stopped in good order, cut or unable to start, told something that cannot work. */
export const exitCodes = { stopped: 0, failed: 1, misconfigured: 2 } as const;
