export { markdownReport } from './markdown.ts';
export { differenceLine, setComparison } from './set-comparison.ts';
export { terminalReport, type TerminalOptions } from './terminal.ts';
export { writeMarkdownReport } from './write-report.ts';
