export { markdownReport } from './markdown.ts';
export { terminalReport, type TerminalOptions } from './terminal.ts';
export { writeMarkdownReport } from './write-report.ts';
