enum Usage {
    static let summary =
        "use render, replay, compare, inspect, bench, counts or gate; thumbwheel help shows their options"

    static let text = """
        thumbwheel render  PHOTOS… [--size 256x256] [--content fill|fit] [--delivery high|fast|opportunistic]
                                   [--resize exact|fast|none] [--crop X,Y,W,H] [--sampling standard|best] [--linear]
                                   [--workers 1] [--rounds 1] [--cold] [--no-previews]
                                   [--out DIR] [--format png|jpeg|webp] [--strict] [--json FILE] [--html FILE]
        thumbwheel replay  PHOTOS… [--assets N] [--scenario SCENARIO | --trace FILE]
                                   [--strategy thumbwheel,ranges,grid-sample,index-window,requests-only,naive,clairvoyant]
                                   [--delivery opportunistic|high|fast] [--clock real|virtual] [--costs FILE]… [--seconds 20]
                                   [--fps 60] [--grid 4x8] [--cell 256] [--budget 64MiB] [--workers 2] [--seed 1]
                                   [--no-previews] [--placeholders seen|imported|none] [--no-placeholders] [--pack]
                                   [--provider-latency lognormal:80ms,0.6] [--fetches N] [--viewers 1]
                                   [--sweep budget=16MiB..4GiB] [--record FILE] [--events FILE] [--json FILE] [--html FILE]
        thumbwheel compare BASE.json HEAD.json [--tolerance 3%] [--json FILE] [--html FILE]
        thumbwheel inspect PHOTOS… [--size WxH] [--json FILE]
        thumbwheel bench   [scheduler] [cache] [assets] [manager] [render] [--assets 1000000] [--rounds 5] [--seed 1]
                                   [--photos FOLDER] [--json FILE]
        thumbwheel counts  [FIXTURES] [--only replays,allocations,instructions,times] [--rounds 5] [--json FILE]
        thumbwheel gate    --base EXECUTABLE [--fixtures FOLDER] [--rounds 7] [--base-name TEXT] [--head-name TEXT]
                                   [--json FILE] [--html FILE]

        SCENARIO is brisk, gentle, hard, scrub, boomerang, flyby, albums, growing or mixed.
        With --clock virtual: --viewers grids share workers, cache and budget; files come from a provider, --fetches at once
        (4 a worker); --sweep plays budget, workers or viewers at each doubling.
        Cells have placeholders where their asset was decoded before, or, imported, all of them; --delivery high shows none.
        --events writes a time line for Perfetto (ui.perfetto.dev): a track for each worker, requests, queues, the budget.
        PHOTOS is any mix of files and folders. The first word of each choice is the default. --json - writes to
        standard output. Exit status: 0 done, 1 a negative verdict (failures under --strict), 2 unusable arguments or input.
        """
}
