/// The style sheet of a report.
///
/// Colours differ in lightness as well as in hue, so that people who see few hues can tell them apart, in either theme. Of the
/// states of a cell, blank matters most and has the loudest colour; final is the usual state and hardly shows.
enum ReportStyle {
    /// The number of the colour classes `c0`, `c1` and so on.
    static let colorCount = 7

    static let sheet: Markup = "\(colors)\n\(page)\n\(plots)\n\(tables)"

    private static let colors: Markup = """
        :root {
          --paper: #fdfdfc; --ink: #1b1f23; --quiet: #5d6670; --rule: #e3e6e8; --grid: #1b1f2318; --panel: #f4f5f5;
          --final: #cdd8df; --degraded: #6fa0c8; --placeholder: #dfb544; --blank: #c5330a; --alarm: #b42a05;
          --c0: #0b62a4; --c1: #d17f00; --c2: #9a3a86; --c3: #00805c; --c4: #4aa5d9; --c5: #7b4a24; --c6: #6f7780;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --ink: #e7e9eb; --quiet: #9aa3ac; --rule: #2b3036; --grid: #e7e9eb1c; --panel: #1c2024;
            --final: #323f49; --degraded: #4f86b4; --placeholder: #d3a534; --blank: #ff6b3a; --alarm: #ff8a63;
            --c0: #5aaef0; --c1: #f0a63c; --c2: #d77fc6; --c3: #35c795; --c4: #a9dcf7; --c5: #c6936a; --c6: #a3abb3;
          }
        }
        .c0 { --color: var(--c0) } .c1 { --color: var(--c1) } .c2 { --color: var(--c2) } .c3 { --color: var(--c3) }
        .c4 { --color: var(--c4) } .c5 { --color: var(--c5) } .c6 { --color: var(--c6) }
        """

    private static let page: Markup = """
        * { box-sizing: border-box; margin: 0; padding: 0 }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
        body { background: var(--paper); color: var(--ink); overflow-wrap: break-word;
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          font-variant-numeric: tabular-nums }
        main { max-width: 68rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 4rem) clamp(1rem, 4vw, 2.5rem) 4rem }
        h1 { font-size: clamp(1.7rem, 5vw, 2.3rem); font-weight: 650; letter-spacing: -.02em; line-height: 1.2 }
        h2 { font-size: 1.2rem; font-weight: 650; letter-spacing: -.005em; margin-bottom: .9rem }
        main > section { margin-top: 3.75rem }
        .lead { max-width: 46rem; margin-top: .7rem; color: var(--quiet) }
        .lead b { color: var(--ink); font-weight: 600 }
        figcaption, .note { max-width: 46rem; margin-top: 1rem; font-size: .85rem; line-height: 1.5; color: var(--quiet) }
        .headlines { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1.75rem;
          margin-top: 2.25rem }
        .headline { border-top: 3px solid var(--color); padding-top: .8rem }
        .headline h2 { font-size: 1rem; margin-bottom: .5rem }
        .headline dl { display: flex; gap: 2rem }
        .headline dl div { display: flex; flex-direction: column-reverse }
        .headline dd { font-size: 1.75rem; font-weight: 600; letter-spacing: -.02em; line-height: 1.25;
          white-space: nowrap }
        .headline dt, .headline p { font-size: .85rem; color: var(--quiet) }
        .headline p { margin-top: .6rem; line-height: 1.5 }
        pre { background: var(--panel); border-radius: 6px; padding: .9rem 1.1rem }
        code { font: .85rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
        .provenance { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.75rem; margin-top: 1.4rem;
          font-size: .9rem }
        .provenance dt { color: var(--quiet) }
        .provenance dd { min-width: 0; overflow-wrap: anywhere }
        .scroller { overflow-x: auto }
        @media (max-width: 36rem) {
          .provenance { display: block } .provenance dd { margin-bottom: .7rem }
        }
        """

    private static let plots: Markup = """
        .legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; margin-bottom: 1.1rem;
          font-size: .85rem }
        .legend li { display: flex; align-items: center; gap: .5rem }
        .legend i { width: .85rem; height: .85rem; border-radius: 2px; background: var(--color) }
        i.final { --color: var(--final) } i.degraded { --color: var(--degraded) }
        i.placeholder { --color: var(--placeholder) } i.blank { --color: var(--blank) }
        i.rendered { --color: var(--c1) } i.stored { --color: var(--c0) } i.shared { --color: var(--c3) }
        .origins { display: flex; height: 1.1rem; margin-bottom: 1.25rem; border-radius: 3px; overflow: hidden;
          background: var(--panel) }
        .origins i { display: block; background: var(--color) }
        .canvas i.restart { position: absolute; top: 0; bottom: 0; border-left: 1.5px dashed var(--ink) }
        i.line, .legend i.warm { display: inline-block; width: 1.4rem; height: 0; border-radius: 0; background: none;
          border-top: 2.5px solid var(--color, var(--ink)); vertical-align: .28em }
        .legend i.dashed { border-top-style: dashed } .legend i.warm { --color: var(--quiet) }
        .legend i.budget { --color: var(--quiet); border-top: 1.5px dashed }
        h3 { font-size: .9rem; font-weight: 600; margin: 0 0 .75rem 3.6rem }
        h3.flush { margin-left: 0 } h3 i.line { margin-right: .5rem } h3 small { font-size: .85rem; font-weight: 400; color: var(--quiet) }
        .plot { display: grid; grid-template: var(--height) 1.7rem / 3.1rem minmax(0, 1fr); column-gap: .5rem;
          font-size: .75rem; color: var(--quiet); line-height: 1 }
        .strip { --height: 5.5rem } .chart { --height: 20rem } .short { --height: 14rem }
        .strip.inner { margin-bottom: 1.25rem; grid-template-rows: var(--height) } .strip.inner .x { display: none }
        .x, .y, .canvas { position: relative } .x { grid-column: 2 }
        .x span, .y span { position: absolute; white-space: nowrap }
        .x span { top: .6rem; transform: translateX(-50%) } .y span { right: 0; transform: translateY(50%) }
        .canvas svg { display: block; width: 100%; height: 100%; overflow: visible }
        .canvas path { vector-effect: non-scaling-stroke }
        .grid { fill: none; stroke: var(--grid); stroke-width: 1 }
        path.final { fill: var(--final) } path.degraded { fill: var(--degraded) }
        path.placeholder { fill: var(--placeholder) } path.blank { fill: var(--blank) }
        .curve, path.budget { fill: none; stroke: var(--color); stroke-width: 2; stroke-linejoin: round }
        .curve.dashed { stroke-dasharray: 6 4 }
        path.budget { --color: var(--quiet); stroke-width: 1.5; stroke-dasharray: 4 4 }
        .dot { position: absolute; width: .8rem; height: .8rem; margin: 0 0 -.4rem -.4rem; border-radius: 50%;
          background: var(--color); box-shadow: 0 0 0 2px var(--paper) }
        .dot span { position: absolute; left: 1.1rem; top: 0; font-style: normal; color: var(--ink); white-space: nowrap }
        .dot.before span { left: auto; right: 1.1rem }
        figure + figure { margin-top: 2rem }
        .sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); gap: .8rem; list-style: none;
          margin-bottom: 1.75rem }
        .sheet.wide { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1.2rem }
        .bar { display: block; height: 3px; margin-top: .35rem; min-width: 1px; background: var(--degraded) }
        .sheet img, .sheet b { display: block; width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: 3px;
          background: var(--panel) }
        .sheet small { display: block; margin-top: .3rem; font-size: .72rem; line-height: 1.4; color: var(--quiet);
          overflow-wrap: anywhere }
        .strip .grid { display: none }
        .canvas i.warm { position: absolute; bottom: -5px; height: 2.5px; background: var(--quiet) }
        .canvas i.warm::before { content: ""; position: absolute; left: 0; bottom: 0; height: calc(var(--height) + 5px);
          border-left: 1.5px solid var(--ink) }
        /* Where a column is no narrower than a pixel, sharp edges lose none, and no layer shines through at the sides. */
        @media (min-width: 37rem) { .strip path { shape-rendering: crispEdges } }
        @media (max-width: 36rem) {
          .x .minor { display: none } .chart { --height: 16rem } .short { --height: 12rem } .strip { --height: 4.5rem }
          .plot { grid-template-columns: 2.9rem minmax(0, 1fr) } h3 { margin-left: 0 }
        }
        """

    private static let tables: Markup = """
        table { border-collapse: collapse; font-size: .875rem; line-height: 1.35; min-width: 100% }
        th, td { padding: .3rem 0; text-align: right; font-weight: 400; white-space: nowrap }
        tbody td:not(.share) { padding-left: 2.5rem } thead th { font-weight: 600; padding-bottom: .7rem }
        thead i.line { margin-right: .5rem }
        th[scope=row], th[scope=rowgroup] { text-align: left }
        th[scope=row], thead td { position: sticky; left: 0; background: var(--paper); color: var(--quiet);
          padding-right: .5rem }
        .group th { font-weight: 600; padding: 1.5rem 0 .45rem; border-bottom: 1px solid var(--rule) }
        .group span { position: sticky; left: 0 } thead + tbody .group:first-child th { padding-top: .5rem }
        .share { min-width: 5.2rem; padding-left: .9rem; color: var(--quiet) }
        .alarm { color: var(--alarm); font-weight: 650 } .good { color: var(--c3) }
        .comparison thead th, .comparison tbody td:not(.share) { padding-left: 1.5rem }
        @media (max-width: 36rem) {
          tbody td:not(.share) { padding-left: 1rem } .share { min-width: 4.6rem; padding-left: .5rem }
          th[scope=row] { white-space: normal; min-width: 7.5rem; max-width: 9rem }
          .comparison thead th, .comparison tbody td:not(.share) { padding-left: .75rem }
          .comparison :is(th, td):nth-child(5) { display: none }
        }
        """
}
