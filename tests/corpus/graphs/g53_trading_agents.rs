//! TradingAgents: names with spaces, one function at several places, and routers that two places share.

use super::stub::*;

stubs! {
    model market_analyst, sentiment_analyst, news_analyst, fundamentals_analyst, bull_researcher, bear_researcher;
    model research_manager, trader, aggressive_analyst, neutral_analyst, conservative_analyst, portfolio_manager;
    tools tools_market, tools_social, tools_news, tools_fundamentals;
    plain clear;
    router should_continue_market(ToolsMarket, MsgClearMarket);
    router should_continue_social(ToolsSocial, MsgClearSentiment);
    router should_continue_news(ToolsNews, MsgClearNews);
    router should_continue_fundamentals(ToolsFundamentals, MsgClearFundamentals);
    router should_continue_debate(BullResearcher, BearResearcher, ResearchManager);
    router should_continue_risk_analysis(AggressiveAnalyst, ConservativeAnalyst, NeutralAnalyst, PortfolioManager);
}

graph! {
    pub(crate) TradingAgents(State, Deps) {
        start -> market_analyst;
        market_analyst -> match should_continue_market { ToolsMarket => tools_market, MsgClearMarket => msg_clear_market };
        tools_market -> market_analyst;
        msg_clear_market -> sentiment_analyst;
        sentiment_analyst -> match should_continue_social { ToolsSocial => tools_social, MsgClearSentiment => msg_clear_sentiment };
        tools_social -> sentiment_analyst;
        msg_clear_sentiment -> news_analyst;
        news_analyst -> match should_continue_news { ToolsNews => tools_news, MsgClearNews => msg_clear_news };
        tools_news -> news_analyst;
        msg_clear_news -> fundamentals_analyst;
        fundamentals_analyst -> match should_continue_fundamentals {
            ToolsFundamentals => tools_fundamentals,
            MsgClearFundamentals => msg_clear_fundamentals,
        };
        tools_fundamentals -> fundamentals_analyst;
        msg_clear_fundamentals -> bull_researcher;
        bull_researcher -> match should_continue_debate {
            BearResearcher => bear_researcher,
            BullResearcher => never,
            ResearchManager => research_manager,
        };
        bear_researcher -> match should_continue_debate {
            BullResearcher => bull_researcher,
            BearResearcher => never,
            ResearchManager => research_manager,
        };
        research_manager -> trader -> aggressive_analyst;
        aggressive_analyst -> match should_continue_risk_analysis {
            ConservativeAnalyst => conservative_analyst,
            PortfolioManager => portfolio_manager,
            AggressiveAnalyst | NeutralAnalyst => never,
        };
        conservative_analyst -> match should_continue_risk_analysis {
            NeutralAnalyst => neutral_analyst,
            PortfolioManager => portfolio_manager,
            AggressiveAnalyst | ConservativeAnalyst => never,
        };
        neutral_analyst -> match should_continue_risk_analysis {
            AggressiveAnalyst => aggressive_analyst,
            PortfolioManager => portfolio_manager,
            ConservativeAnalyst | NeutralAnalyst => never,
        };
        portfolio_manager -> end;

        market_analyst: as "Market Analyst";
        msg_clear_market: clear as "Msg Clear Market";
        sentiment_analyst: as "Sentiment Analyst";
        msg_clear_sentiment: clear as "Msg Clear Sentiment";
        news_analyst: as "News Analyst";
        msg_clear_news: clear as "Msg Clear News";
        fundamentals_analyst: as "Fundamentals Analyst";
        msg_clear_fundamentals: clear as "Msg Clear Fundamentals";
        bull_researcher: as "Bull Researcher";
        bear_researcher: as "Bear Researcher";
        research_manager: as "Research Manager";
        trader: as "Trader";
        aggressive_analyst: as "Aggressive Analyst";
        conservative_analyst: as "Conservative Analyst";
        neutral_analyst: as "Neutral Analyst";
        portfolio_manager: as "Portfolio Manager";
    }
}
